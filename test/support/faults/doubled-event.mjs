// This module plants a fault in a proof, and the proof must find it: after the signal to stop, a service sends each
// event twice in its event streams of GraphQL.
import { ServerResponse } from 'node:http';
import { inService } from './in-service.mjs';

inService(import.meta.url, () => {
  let isStopping = false;
  process.prependOnceListener('SIGTERM', () => (isStopping = true));
  const responses = ServerResponse.prototype;
  responses.write = new Proxy(responses['write'], {
    apply(write, response, [text, done]) {
      const sent = isStopping && String(text).startsWith('event: next\n') ? `${text}${text}` : text;
      return Reflect.apply(write, response, [sent, done]);
    },
  });
});
