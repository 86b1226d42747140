// The built service loads this module first. If the file that KILL_AT_COMMIT names exists, the next COMMIT ends the
// process as `kill -9` does. The file contains `before` or `after`: the process ends before the commit, or after the
// commit and before any answer.
import { existsSync, readFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { Client, Connection } from 'pg';

const file = process.env.KILL_AT_COMMIT;

function killIf(when) {
  if (existsSync(file) && readFileSync(file, 'utf8') === when) process.kill(process.pid, 'SIGKILL');
}

const statements = Object.getPrototypeOf(new BetterSqlite3(':memory:').prepare('SELECT 1'));
statements.run = new Proxy(statements.run, {
  apply(run, statement, values) {
    if (statement.source !== 'COMMIT') return Reflect.apply(run, statement, values);
    killIf('before');
    const result = Reflect.apply(run, statement, values);
    killIf('after');
    return result;
  },
});

// COMMIT is one of the statements of a round trip.
const connections = Connection.prototype;
connections.bind = new Proxy(connections['bind'], {
  apply(bind, connection, parameters) {
    if (parameters[0].statement === 'COMMIT') killIf('before');
    return Reflect.apply(bind, connection, parameters);
  },
});

const clients = Client.prototype;
clients.query = new Proxy(clients['query'], {
  apply(query, client, parameters) {
    const [trip] = parameters;
    const completed = trip.handleCommandComplete;
    if (typeof completed === 'function') {
      trip.handleCommandComplete = (message, connection) => {
        if (message.text === 'COMMIT') killIf('after');
        return Reflect.apply(completed, trip, [message, connection]);
      };
    }
    return Reflect.apply(query, client, parameters);
  },
});
