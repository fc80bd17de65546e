/** A Worker that reads what is long, so that a GET beside it stays fast. */
import type { ToReader } from '../../reading/protocol.ts';
import { type KnownRead, textsOf } from './texts.ts';
import { Turns } from '../../reading/turns.ts';

declare const self: Worker;

const turns = new Turns<KnownRead>({
  textsOf,
  post: (message, transfer = []) => self.postMessage(message, transfer),
});

self.onmessage = ({ data }: MessageEvent<ToReader<KnownRead>>) => turns.receive(data);
