// This module plants a fault in a proof, and the proof must find it: subscribers over WebSocket do not send their last
// cursor.
import { WebSocket } from 'ws';

const sockets = WebSocket.prototype;
sockets.send = new Proxy(sockets['send'], {
  apply(send, socket, [text, ...rest]) {
    const message = JSON.parse(text);
    if (message.type === 'connection_init') delete message.payload.resume;
    return Reflect.apply(send, socket, [JSON.stringify(message), ...rest]);
  },
});
