import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** A listener of the event `request`. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Puts a listener in the place of the only listener of a server.
 *
 * @param made makes the new listener from the present one. The new listener can pass requests on to the present one
 * @throws Error when the server has no listener yet
 */
export function replaceListener(server: Server, made: (present: Listener) => Listener): void {
  const [present] = server.listeners('request') as Listener[];
  if (present === undefined) throw new Error('The server has no listener yet.');
  server.off('request', present).on('request', made(present));
}

/**
 * The unfinished response of a connection; undefined or null if all requests are answered. Node keeps this response in
 * a member of the socket that the documentation of Node does not mention.
 */
export function presentResponse(socket: object): ServerResponse | null | undefined {
  return (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage;
}
