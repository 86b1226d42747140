/**
 * The module `node:http`. An `import` of it reads all its exports, also `WebSocket`, for which Node loads undici. This
 * takes 14 MB. So the service imports only types from `node:http`.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http');
