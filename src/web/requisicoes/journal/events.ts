/** Server-sent events out of a stream of text, as far as ours use them: `event`, `data`, comments. */

export interface ServerEvent {
  /** `message` where nothing is said. */
  readonly name: string;
  readonly data: string;
}

export class EventReader {
  #rest = '';

  /** What is complete with this piece; the beginning of an event waits for its end. */
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
