import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { httpDate } from '../contract/http-date.js';
import * as http from './node-http.js';

/** The members of a response that the documentation of Node does not mention. */
interface Internals {
  /** The head as text; null until it is set. Node sends it together with the first part of the body. */
  _header: string | null;
  readonly _expect_continue: boolean;
  readonly _keepAliveTimeout: number;
  readonly _maxRequestsPerSocket: number | null;
}

/** A character that a field value must not have (RFC 9110, section 5.5). */
const NOT_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Fields that are the same in all answers. Their text is made and checked only once. */
export class ConstantFields {
  /** One line for each field; null if Node has to refuse a value. */
  readonly text: string | null;

  /** @param list the names and values in turn */
  constructor(readonly list: readonly string[]) {
    this.text = linesOf(list);
  }

  has(name: string): boolean {
    return placeOf(name, this.list) !== -1;
  }
}

/** The index of a name in a list of names and values in turn; -1 if it is not there. */
export function placeOf(name: string, list: readonly string[]): number {
  for (let index = 0; index < list.length; index += 2) if (list[index] === name) return index;
  return -1;
}

/**
 * Sets the head of a response, as `response.writeHead(status, fields)` does. In the usual case, this takes about a
 * fifth of the time, because the names need no check, and the connection stays open. This function calls `writeHead`
 * for a response that is not usual (`isUsual`), and for a value with a wrong character. It calls `writeHead` for every
 * response if `setText` does not make the same text as the running version of Node.
 *
 * @param constant the first fields; null if there are none
 * @param fields the names and values of the other fields in turn, with the length of the body. `Connection`, `Date` and
 *   `Transfer-Encoding` are not among them
 * @throws TypeError for a character that a value must not have
 */
export function setHead(
  response: ServerResponse,
  status: number,
  constant: ConstantFields | null,
  fields: readonly string[],
): void {
  const lines = isLikeNode && isUsual(response) ? linesOf(fields) : null;
  const first = constant === null ? '' : constant.text;
  if (lines === null || first === null) response.writeHead(status, [...(constant?.list ?? []), ...fields]);
  else setText(response, status, first + lines);
}

/** Returns null for a character that a value must not have. Node throws the error for it. */
function linesOf(fields: readonly string[]): string | null {
  let text = '';
  for (let index = 0; index < fields.length; index += 2) {
    const value = fields[index + 1] as string;
    if (NOT_A_VALUE.test(value)) return null;
    text += `${fields[index]}: ${value}\r\n`;
  }
  return text;
}

/**
 * Whether the client keeps the connection open, and Node would add no other fields than `setText`. A program that was
 * loaded before the service, such as OpenTelemetry, may have set fields already.
 */
function isUsual(response: ServerResponse): boolean {
  const { _header, _expect_continue, _keepAliveTimeout, _maxRequestsPerSocket } =
    response as unknown as Internals;
  return (
    _header === null &&
    !_expect_continue &&
    _keepAliveTimeout > 0 &&
    !_maxRequestsPerSocket &&
    response.shouldKeepAlive &&
    response.sendDate &&
    response.getHeaderNames().length === 0
  );
}

function setText(response: ServerResponse, status: number, lines: string): void {
  const internals = response as unknown as Internals;
  const seconds = Math.floor(internals._keepAliveTimeout / 1_000);
  response.statusCode = status;
  internals._header = `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines}Date: ${httpDate(Date.now())}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`;
}

/** Compares the head of `setText` with that of Node. */
const isLikeNode = ((): boolean => {
  const [ours, nodes] = [newResponse(), newResponse()];
  const fields = ['x-request-id', 'a b', 'content-length', '1'];
  if (!isUsual(ours)) return false;
  setText(ours, 200, linesOf(fields) as string);
  nodes.writeHead(200, fields);
  const [our, node] = [ours, nodes].map((response) =>
    (response as unknown as Internals)._header?.replace(/Date: .*\r\n/, ''),
  );
  return our === node && ours.statusCode === nodes.statusCode;
})();

function newResponse(): ServerResponse {
  const request = Object.assign(new http.IncomingMessage(new Socket()), {
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  });
  return Object.assign(new http.ServerResponse(request), { _keepAliveTimeout: 72_000 });
}
