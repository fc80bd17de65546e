/** Worker for long reads, so that other GET requests stay fast. */
import type { ToReader } from '../../reading/protocol.ts';
import { type KnownRead, textsOf } from './texts.ts';
import { attend } from '../../system/worker.ts';
import { Turns } from '../../reading/turns.ts';

declare const self: Worker;

const turns = new Turns<KnownRead>({
  textsOf,
  post: (message, transfer = []) => self.postMessage(message, transfer),
});

attend<ToReader<KnownRead>>((message) => turns.receive(message));
