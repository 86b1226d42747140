// A service loads this module first (`--import`) if its memory is measured. SQLite keeps pages of its files in memory,
// up to a bound for each connection. While a file grows, these caches grow too. With this small bound, they are full
// soon.
import BetterSqlite3 from 'better-sqlite3';

const KIBIBYTES = 1_000;

const bounded = new WeakSet();
const handles = BetterSqlite3.prototype;
handles.prepare = new Proxy(handles['prepare'], {
  apply(prepare, handle, parameters) {
    if (!bounded.has(handle)) {
      bounded.add(handle);
      handle.pragma(`cache_size = -${KIBIBYTES}`);
    }
    return Reflect.apply(prepare, handle, parameters);
  },
});
