// This module plants a fault in a proof, and the proof must find it: SQLite lets the operating system decide when to
// flush.
import BetterSqlite3 from 'better-sqlite3';
import { inService } from './in-service.mjs';

inService(import.meta.url, () => {
  const handles = BetterSqlite3.prototype;
  handles.pragma = new Proxy(handles['pragma'], {
    apply(pragma, handle, [text, ...rest]) {
      return Reflect.apply(pragma, handle, [
        text.replace('synchronous = FULL', 'synchronous = OFF'),
        ...rest,
      ]);
    },
  });
});
