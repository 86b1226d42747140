// This module plants a fault in a proof, and the proof must find it: each act takes the numbers of its events from a
// sequence, and events are read by these numbers. The fault begins with the first read of events.
import { Client } from 'pg';

const COLUMNS = 'type, kind, entity_id, entity_version, person_id, data, actor, request_id, occurred_at';
const PLANT = `
  CREATE SEQUENCE positions;
  SELECT setval('positions', position) FROM event_log_head;
  DROP TABLE event_log_head;
  CREATE VIEW event_log_head AS SELECT coalesce(max(position), 0) AS position FROM events;
  CREATE FUNCTION number_at_once() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO events (position, ${COLUMNS}) VALUES (nextval('positions'), ${COLUMNS.replaceAll(/(\w+)/g, 'NEW.$1')});
    PERFORM pg_notify('store_events', '');
    RETURN NULL;
  END $$;
  CREATE TRIGGER numbered BEFORE INSERT ON event_outbox FOR EACH ROW EXECUTE FUNCTION number_at_once()`;

const clients = Client.prototype;
let isPlanted = false;
clients.query = new Proxy(clients['query'], {
  apply(query, client, parameters) {
    if (isPlanted || !String(parameters[0]).includes('FROM events')) {
      return Reflect.apply(query, client, parameters);
    }
    isPlanted = true;
    return Reflect.apply(query, client, [PLANT]).then(() => Reflect.apply(query, client, parameters));
  },
});
