/** Works out an impact off the main thread, on a snapshot of its own. */
import { openForReading } from '../../db/open.ts';
import { answering } from './conversation.ts';
import { Impact } from './impact.ts';
import type { AskImpact, ImpactAnswer } from './impact-messages.ts';

const encoder = new TextEncoder();
let chunks: AsyncIterator<string> | undefined;

answering<AskImpact, ImpactAnswer>(async (question) => {
  if (question.type === 'start') {
    const db = openForReading(question.database);
    db.exec('BEGIN');
    chunks = new Impact(db, question.request).text(question.form);
  }
  const next = await chunks?.next();
  return next === undefined || next.done === true ? undefined : encoder.encode(next.value);
});
