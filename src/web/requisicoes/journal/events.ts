/**
 * Parses server-sent events from a text stream, limited to what our server sends: `event`, `data`, comments.
 */

export interface ServerEvent {
  /** `message` when the event has no name. */
  readonly name: string;
  readonly data: string;
}

export class EventReader {
  #rest = '';

  /** Returns the events that this piece completes. An incomplete event is kept for the next piece. */
  take(piece: string): readonly ServerEvent[] {
    const blocks = (this.#rest + piece).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => eventOf(block) ?? []);
  }
}

function eventOf(block: string): ServerEvent | undefined {
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split('\n'))
    if (line.startsWith('data: ')) data.push(line.slice('data: '.length));
    else if (line.startsWith('event: ')) name = line.slice('event: '.length);
  return data.length === 0 ? undefined : { name, data: data.join('\n') };
}
