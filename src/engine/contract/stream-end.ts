import { TooSlow, Unavailable } from '../errors/errors.js';
import { problemOf, report } from './problem.js';

/**
 * The end of a stream of events because of an error. Each transport writes this end in its own way:
 *
 * | Kind      | WebSocket              | GraphQL as server-sent events             | `GET /events`          |
 * | --------- | ---------------------- | ----------------------------------------- | ---------------------- |
 * | `unread`  | close code 1013        | the connection is cut                     | the connection is cut  |
 * | `passing` | close code 1013        | a comment, and the end without `complete` | `problem`, and the end |
 * | `final`   | `error`, for one id    | `next` with the error, then `complete`    | `problem`, and the end |
 */
export class StreamEnd {
  private constructor(
    /**
     * `unread`: the client does not read, so it would not read the reason. `passing`: the client can connect again a
     * moment later, and get all events from the log. `final`: an error of the operation, which would happen again if
     * the client connected again.
     */
    readonly kind: 'unread' | 'passing' | 'final',
    /** The reason for the client. Except for `final`, it is short enough for the close frame of a WebSocket. */
    readonly reason: string,
    readonly error: unknown,
  ) {}

  /** The only place that decides how an error ends a stream. It also writes a line about an outage to the log. */
  static by(error: unknown, requestId: string): StreamEnd {
    if (error instanceof TooSlow) return new StreamEnd('unread', error.message, error);
    const problem = problemOf(error);
    if (problem.status !== 503) return new StreamEnd('final', problem.title, error);
    report(problem, requestId);
    return new StreamEnd('passing', error instanceof Unavailable ? error.message : problem.title, error);
  }
}
