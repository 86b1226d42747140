// Preloaded into a proof, as a fault that it has to find: subscribers over WebSocket do not say where they were.
import { WebSocket } from 'ws';

const sockets = WebSocket.prototype;
sockets.send = new Proxy(sockets['send'], {
  apply(send, socket, [text, ...rest]) {
    const message = JSON.parse(text);
    if (message.type === 'connection_init') delete message.payload.resume;
    return Reflect.apply(send, socket, [JSON.stringify(message), ...rest]);
  },
});
