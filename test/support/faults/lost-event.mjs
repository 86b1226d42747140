// This module plants a fault in a proof, and the proof must find it: after the signal to stop, a service leaves out
// every fifth event in its event streams of GraphQL.
import { ServerResponse } from 'node:http';
import { inService } from './in-service.mjs';

inService(import.meta.url, () => {
  let isStopping = false;
  process.prependOnceListener('SIGTERM', () => (isStopping = true));
  const responses = ServerResponse.prototype;
  responses.write = new Proxy(responses['write'], {
    apply(write, response, [text, done]) {
      if (!isStopping || !/^event: next\nid: \d*[05]\n/.test(text)) {
        return Reflect.apply(write, response, [text, done]);
      }
      done();
      return true;
    },
  });
});
