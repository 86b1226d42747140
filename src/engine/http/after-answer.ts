import type { FastifyReply } from 'fastify';
import type { AnyRequest } from '../contract/any-request.js';

/** Runs after an answer was sent completely. It does not run if the client left before that. */
export type AfterAnswer = (request: AnyRequest, reply: FastifyReply) => void;
