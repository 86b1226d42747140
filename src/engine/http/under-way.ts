import type { Socket } from 'node:net';

type End = () => void;

/**
 * The requests under way of each connection, with the functions to call at their ends. A request ends when its answer
 * was sent, or when the client closes the connection before that. There is one listener for each connection, so that
 * not every request has to add and remove a listener.
 */
export class UnderWay {
  private readonly ends = new WeakMap<Socket, Ends>();

  add(socket: Socket, end: End): void {
    // The client has left already, and `close` does not come again.
    if (socket.destroyed) return end();
    const ends = this.ends.get(socket);
    if (ends !== undefined) ends.add(end);
    else this.listen(socket, end);
  }

  end(socket: Socket, end: End): void {
    this.ends.get(socket)?.delete(end);
    end();
  }

  private listen(socket: Socket, first: End): void {
    const ends = new Ends();
    ends.add(first);
    this.ends.set(socket, ends);
    socket.once('close', () => ends.call());
  }
}

/** The functions of one connection. Most connections have one request at a time, which needs no set. */
class Ends {
  private first: End | null = null;
  private others: Set<End> | null = null;

  add(end: End): void {
    if (this.first === null) this.first = end;
    else (this.others ??= new Set()).add(end);
  }

  delete(end: End): void {
    if (this.first === end) this.first = null;
    else this.others?.delete(end);
  }

  call(): void {
    this.first?.();
    for (const end of this.others ?? []) end();
  }
}
