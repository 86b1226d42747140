import { Injectable } from '@nestjs/common';
import { EventLog } from '../events/event-log.js';
import { Database } from './database.js';

/** The parts of the service that every table needs; see `EntityTable` and `VersionedTable`. */
@Injectable()
export class TableParts {
  constructor(
    readonly database: Database,
    readonly log: EventLog,
  ) {}
}
