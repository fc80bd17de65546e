/**
 * Long reads off the main thread: each listing runs on a read-only connection with a snapshot of its own. The main
 * thread asks for chunks by giving credit; without credit nothing is read.
 */
import { type Db, openForReading } from '../../db/open.ts';
import { folded } from '../../validation/text.ts';
import { listingChunks } from './chunks.ts';
import type { FromListingWorker, ToListingWorker } from './messages.ts';

declare const self: Worker;

interface Running {
  readonly db: Db;
  readonly chunks: Generator<string>;
  credit: number;
  scheduled: boolean;
}

const running = new Map<number, Running>();
const idle: Db[] = [];
const encoder = new TextEncoder();

self.onmessage = ({ data }: MessageEvent<ToListingWorker>) => {
  if (data.type === 'start') start(data);
  else if (data.type === 'credit') give(data.id);
  else stop(data.id);
};

function start({ id, file, request, credit }: Extract<ToListingWorker, { type: 'start' }>): void {
  try {
    const db = idle.pop() ?? openReader(file);
    db.exec('BEGIN');
    running.set(id, { db, chunks: listingChunks(db, request), credit, scheduled: false });
    schedule(id);
  } catch (error) {
    fail(id, error);
  }
}

function openReader(file: string): Db {
  const db = openForReading(file);
  db.function('folded', { deterministic: true }, (text) => (text === null ? null : folded(String(text))));
  return db;
}

function give(id: number): void {
  const listing = running.get(id);
  if (listing === undefined) return;
  listing.credit += 1;
  schedule(id);
}

/** One chunk at a time, so that listings take turns. */
function schedule(id: number): void {
  const listing = running.get(id);
  if (listing === undefined || listing.scheduled || listing.credit === 0) return;
  listing.scheduled = true;
  setImmediate(() => {
    listing.scheduled = false;
    if (running.get(id) === listing) advance(id, listing);
  });
}

function advance(id: number, listing: Running): void {
  try {
    const { done, value } = listing.chunks.next();
    if (done === true) {
      stop(id);
      post({ type: 'end', id });
      return;
    }
    listing.credit -= 1;
    const bytes = encoder.encode(value);
    post({ type: 'chunk', id, bytes }, [bytes.buffer]);
    schedule(id);
  } catch (error) {
    fail(id, error);
  }
}

/** Gives the connection back, whether or not the listing came to its end. */
function stop(id: number): void {
  const listing = running.get(id);
  if (listing === undefined) return;
  running.delete(id);
  listing.chunks.return(undefined);
  listing.db.exec('ROLLBACK');
  idle.push(listing.db);
}

function fail(id: number, error: unknown): void {
  const listing = running.get(id);
  running.delete(id);
  listing?.db.close();
  post({
    type: 'error',
    id,
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
}

function post(message: FromListingWorker, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer);
}
