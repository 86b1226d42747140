import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../engine/database/database.module.js';
import { Imports1763700000021 } from '../../engine/database/migrations/1763700000021-imports.js';
import { LinesOfFailedImports1763700000026 } from '../../engine/database/migrations/1763700000026-lines-of-failed-imports.js';
import { ImportRefusal } from './import-refusal.entity.js';
import { ImportRunner } from './import-runner.js';
import { Import } from './import.entity.js';
import { ImportsController } from './imports.controller.js';
import { OldImports } from './imports.purge.js';
import { ImportsRepository } from './imports.repository.js';

declare module '../../generated/contract.js' {
  interface Features {
    imports: {
      entities: { Import: Import; ImportRefusal: ImportRefusal };
      controllers: ImportsController;
    };
  }
}

/** Imports of files over the API: the file comes in parts, and a runner reads it in the background. */
@Module({
  imports: [
    DatabaseModule.forFeature({
      entities: [Import, ImportRefusal],
      migrations: [Imports1763700000021, LinesOfFailedImports1763700000026],
    }),
  ],
  controllers: [ImportsController],
  providers: [ImportsRepository, ImportRunner, OldImports],
})
export class ImportsModule {}
