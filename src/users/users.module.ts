import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Users1763700000003 } from '../database/migrations/1763700000003-users.js';
import { User } from './user.entity.js';

/** Who buys. */
@Module({
  imports: [DatabaseModule.forFeature({ entities: [User], migrations: [Users1763700000003] })],
})
export class UsersModule {}
