// This module plants a fault in a proof, and the proof must find it: the service answers first, and commits a moment
// later.
import { Server } from 'node:net';
import BetterSqlite3 from 'better-sqlite3';
import { inService } from './in-service.mjs';

const LATE_MS = 100;

inService(import.meta.url, () => {
  // The fault begins after the start of the service.
  let isServing = false;
  const servers = Server.prototype;
  servers.listen = new Proxy(servers['listen'], {
    apply(listen, server, parameters) {
      isServing = true;
      return Reflect.apply(listen, server, parameters);
    },
  });
  const statements = Object.getPrototypeOf(new BetterSqlite3(':memory:').prepare('SELECT 1'));
  statements.run = new Proxy(statements.run, {
    apply(run, statement, values) {
      if (!isServing || statement.source !== 'COMMIT') return Reflect.apply(run, statement, values);
      setTimeout(() => Reflect.apply(run, statement, values), LATE_MS);
      return { changes: 0, lastInsertRowid: 0 };
    },
  });
});
