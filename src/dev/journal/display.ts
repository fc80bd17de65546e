/**
 * Formats journal entries for display, without secrets. They are formatted on demand, so that no request pays
 * for it.
 */
import type { Problem } from '../../errors.ts';
import { pathnameOf, queryOf, printablePathOf } from '../../http/address.ts';
import { codeOf, mnemonicOf, tagOf } from '../../http/answers.ts';
import { momentText } from '../../validation/calendar.ts';
import type { JournalEntry } from './entry.ts';
import type { LoggedRequest, RequestDetail } from './model.ts';
import { maskedBody, maskedValue, maskedText } from './secrets.ts';
import type { Advise } from './advice.ts';

export function toRow(entry: JournalEntry): LoggedRequest {
  const path = pathOf(entry);
  return {
    id: entry.id,
    at: momentText(entry.at),
    arrivedAt: momentText(entry.arrivedAt),
    method: entry.method,
    path,
    query: queryOfEntry(entry),
    operation: entry.operation?.id ?? null,
    status: entry.status,
    ms: Math.round(entry.ms * 100) / 100,
    tag: tagOfEntry(entry),
    user: entry.caller ?? null,
    fault: entry.fault,
    problems: [...problemsOf(entry)],
    notices: [...entry.notices],
  };
}

export function toDetail(entry: JournalEntry, advise: Advise): RequestDetail {
  const { requestBody, responseBody, requestHeaders, responseHeaders, operation } = entry;
  return {
    ...toRow(entry),
    problems: problemsOf(entry).map((problem) => ({ ...problem, ...advise(entry, problem) })),
    requestHeaders: headersOf(requestHeaders),
    requestBody: bodyOf(requestBody.text, operation),
    responseHeaders: headersOf(responseHeaders),
    responseBody: bodyOf(responseBody.text, undefined),
    truncated: requestBody.isCut || responseBody.isCut,
  };
}

const PATH_MAX_CHARACTERS = 2048;

export const pathOf = ({ url }: JournalEntry): string => printablePathOf(url).slice(0, PATH_MAX_CHARACTERS);

/** Returns the tag of a refusal, as in its answer, or `null` for a success. */
export function tagOfEntry({ refusal, trackerId, url }: JournalEntry): string | null {
  if (refusal === undefined) return null;
  if (refusal.tag !== undefined) return refusal.tag;
  return trackerId === undefined ? null : tagOf(mnemonicOf(pathnameOf(url)), trackerId);
}

/** Returns the problems of a refusal. A refusal without a list becomes its only problem. */
function problemsOf({ refusal, status, url }: JournalEntry): readonly Problem[] {
  if (refusal === undefined) return [];
  if (refusal.problems.length > 0) return refusal.problems;
  if (refusal.message === '') return [];
  const { message } = refusal;
  const code = refusal.code ?? codeOf(status ?? 500, pathnameOf(url));
  return [{ message, code, field: refusal.field ?? null, path: refusal.path ?? null }];
}

function queryOfEntry({ url }: JournalEntry): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(queryOf(url) ?? '')) {
    const text = maskedText(maskedValue(name, value));
    const before = Object.hasOwn(query, name) ? query[name] : undefined;
    query[name] = before === undefined ? text : [before, text].flat();
  }
  return query;
}

/** Lists the headers in lower case and in alphabetical order, which is how HTTP clients present them. */
function headersOf(headers: JournalEntry['responseHeaders']): Record<string, string> {
  const masked: Record<string, string> = {};
  for (const [name, value] of new Headers(headers)) masked[name] = maskedText(maskedValue(name, value));
  return masked;
}

const bodyOf = (text: string | null, operation: JournalEntry['operation']): string | null =>
  text === null ? null : maskedText(maskedBody(text, operation));
