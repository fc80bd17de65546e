/** Worker for long reads, so that other GET requests stay fast. */
import type { ToReader } from '../../reading/protocol.ts';
import { type AnyReadRequest, textsOf } from './texts.ts';
import { attend } from '../../system/worker.ts';
import { Turns } from '../../reading/turns.ts';

declare const self: Worker;

const turns = new Turns<AnyReadRequest>({
  textsOf,
  post: (message, transfer = []) => self.postMessage(message, transfer),
});

attend<ToReader<AnyReadRequest>>((message) => turns.receive(message));
