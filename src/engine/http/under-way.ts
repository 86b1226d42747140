import type { Socket } from 'node:net';

type End = () => void;

/**
 * The requests under way of each connection, with the functions to call at their ends. A request ends when its answer
 * was sent, or when the client closes the connection before that. There is one listener for each connection, so that
 * not every request has to add and remove a listener.
 */
export class UnderWay {
  // The lists are short. With a `Set`, V8 would make new tables again and again, and free them late.
  private readonly ends = new WeakMap<Socket, End[]>();

  add(socket: Socket, end: End): void {
    // The client has left already, and `close` does not come again.
    if (socket.destroyed) return end();
    const ends = this.ends.get(socket);
    if (ends !== undefined) ends.push(end);
    else this.listen(socket, end);
  }

  end(socket: Socket, end: End): void {
    const ends = this.ends.get(socket);
    const place = ends?.indexOf(end) ?? -1;
    if (place >= 0) ends?.splice(place, 1);
    end();
  }

  private listen(socket: Socket, first: End): void {
    const ends = [first];
    this.ends.set(socket, ends);
    socket.once('close', () => {
      for (const end of ends) end();
    });
  }
}
