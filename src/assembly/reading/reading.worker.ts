/** Worker for long reads, so that other GET requests stay fast. */
import type { ToReader } from '../../reading/protocol.ts';
import { type AnyReadRequest, textsOf } from './texts.ts';
import { onMessage } from '../../system/worker.ts';
import { ReadScheduler } from '../../reading/read-scheduler.ts';

declare const self: Worker;

const scheduler = new ReadScheduler<AnyReadRequest>(textsOf, (message, transfer = []) =>
  self.postMessage(message, transfer),
);

onMessage<ToReader<AnyReadRequest>>((message) => scheduler.receive(message));
