// Preloaded into a proof, as a fault that it has to find: with an idempotency key the variables of an operation are read
// as soon as there are any, and all that is wrong with them is collected.
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
      // The service will say what is wrong with the text.
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
