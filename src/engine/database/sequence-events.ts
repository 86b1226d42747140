const COLUMNS = 'type, kind, entity_id, entity_version, person_id, data, actor, request_id, occurred_at';

/**
 * The statement that makes the function `sequence_events` of PostgreSQL. The function moves events from the outbox to
 * the log, in the order of (tx, id). But it puts the events of one entity in the order of the versions of the entity,
 * because the transaction that began first may have changed the entity last. For the same reason, a batch of `most`
 * events is extended by the events of earlier versions of the same entities.
 *
 * PostgreSQL makes a new plan at each call, because the outbox may be empty or have a million rows.
 *
 * @param variables Declarations in PL/pgSQL for `check`.
 * @param check Statements in PL/pgSQL that run before events are moved. `head` is the position of the newest event.
 */
export function sequenceEvents(variables = '', check = ''): string {
  return `CREATE OR REPLACE FUNCTION sequence_events(most integer) RETURNS integer
  LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
  DECLARE
    head bigint;
    count integer;${variables}
  BEGIN
    IF NOT EXISTS (SELECT FROM event_outbox) THEN RETURN 0; END IF;
    SELECT position INTO head FROM event_log_head FOR UPDATE;${check}
    WITH first AS (
      SELECT tx, id, kind, entity_id, entity_version FROM event_outbox ORDER BY tx, id LIMIT most
    ), newest AS (
      SELECT kind, entity_id, max(entity_version) AS version FROM first GROUP BY kind, entity_id
    ), before AS (
      SELECT o.tx, o.id FROM event_outbox o JOIN newest USING (kind, entity_id) WHERE o.entity_version < version
    ), moved AS (
      DELETE FROM event_outbox WHERE (tx, id) IN (SELECT tx, id FROM first UNION SELECT tx, id FROM before)
      RETURNING *
    ), ranked AS (
      SELECT *,
        row_number() OVER (ORDER BY tx, id) AS place,
        row_number() OVER (PARTITION BY kind, entity_id ORDER BY tx, id) AS slot,
        row_number() OVER (PARTITION BY kind, entity_id ORDER BY entity_version, tx, id) AS turn
      FROM moved
    )
    INSERT INTO events (position, ${COLUMNS})
    SELECT head + slots.place, ${COLUMNS.replaceAll(/(\w+)/g, 'turns.$1')}
    FROM ranked slots JOIN ranked turns
      ON turns.kind = slots.kind AND turns.entity_id = slots.entity_id AND turns.turn = slots.slot;
    GET DIAGNOSTICS count = ROW_COUNT;
    UPDATE event_log_head SET position = head + count;
    PERFORM pg_notify('store_events', (head + count)::text);
    RETURN count;
  END $$`;
}
