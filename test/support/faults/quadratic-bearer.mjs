// This module plants a fault in a proof, and the proof must find it: bearer tokens of any length, in headers and in
// connection_init, are checked with a pattern that takes quadratic time for blanks.
import { Server } from 'node:http';
import { inService } from './in-service.mjs';

const JWT = /^bearer +[^.]+\.[^.]*\.[^.]*$/i;

const look = (credential) => typeof credential === 'string' && JWT.test(credential);

inService(import.meta.url, () => {
  const servers = Server.prototype;
  servers.emit = new Proxy(servers['emit'], {
    apply(emit, server, [event, request, ...rest]) {
      if (event === 'request' || event === 'upgrade') look(request.headers.authorization);
      return Reflect.apply(emit, server, [event, request, ...rest]);
    },
  });
  JSON.parse = new Proxy(JSON.parse, {
    apply(parse, json, parameters) {
      const value = Reflect.apply(parse, json, parameters);
      if (value?.type === 'connection_init')
        look(value.payload?.authorization ?? value.payload?.Authorization);
      return value;
    },
  });
});
