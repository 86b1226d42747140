// This module plants a fault in a proof, and the proof must find it: if a request has an idempotency key, its variables
// are checked as soon as its JSON is parsed, and all errors of the variables are collected without a bound.
import { readFileSync } from 'node:fs';
import { buildSchema, getVariableValues, parse as parseText } from 'graphql';
import { inService } from './in-service.mjs';

inService(import.meta.url, () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
  const read = ({ query, variables }) => {
    try {
      const [operation] = parseText(query).definitions;
      getVariableValues(schema, operation.variableDefinitions ?? [], variables);
    } catch {
      // The service itself reports the errors of the text.
    }
  };
  JSON.parse = new Proxy(JSON.parse, {
    apply(parse, json, parameters) {
      const value = Reflect.apply(parse, json, parameters);
      const payload = value?.payload ?? value;
      if (payload?.variables && payload.extensions?.idempotencyKey) read(payload);
      return value;
    },
  });
});
