import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** A listener of the event `request`. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Puts a listener in the place of the only listener of a server.
 *
 * @param made makes the new listener. It gets the present listener, which takes the requests that the new one passes on
 * @throws Error when the server has no listener yet
 */
export function replaceListener(server: Server, made: (present: Listener) => Listener): void {
  const [present] = server.listeners('request') as Listener[];
  if (present === undefined) throw new Error('The server has no listener yet.');
  server.off('request', present).on('request', made(present));
}

/**
 * The response of a connection whose request was not answered completely; undefined or null if there is none. Node keeps
 * it at the socket, without documenting this.
 */
export function presentResponse(socket: object): ServerResponse | null | undefined {
  return (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage;
}
