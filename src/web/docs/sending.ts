/** Sends a request of the reference and keeps its response. */
import { api } from '../api/api.ts';
import type { Result } from '../api/result.ts';
import { loadUser } from '../api/session.ts';
import type { ReadyRequest } from './request.ts';

export interface Received {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Milliseconds until the response was complete. */
  readonly ms: number;
  /** Body of a text response. */
  readonly text: string;
  /** Body of any other response. */
  readonly file: { readonly name: string; readonly content: Blob } | undefined;
  /** True for an endless stream, of which only the beginning was read. */
  readonly isCut: boolean;
}

/** Time for which an endless stream is read, in milliseconds. */
const STREAM_MAX_MS = 3000;

export async function send(request: ReadyRequest, chosenFile: File | undefined): Promise<Result<Received>> {
  const controller = new AbortController();
  const started = performance.now();
  const answer = await api.exchange(request.method, request.address, payloadOf(request, chosenFile), {
    headers: headersOf(request),
    signal: controller.signal,
  });
  if (!answer.ok) return answer;
  const { status, headers } = answer.value;
  const type = headers.get('Content-Type') ?? '';
  const isStream = type.startsWith('text/event-stream');
  const isText = isStream || type === '' || /json|text|xml|javascript/.test(type);
  const timer = isStream ? setTimeout(() => controller.abort(), STREAM_MAX_MS) : undefined;
  const content = isText ? undefined : await answer.value.blob();
  const text = isText ? await textOf(answer.value) : '';
  clearTimeout(timer);
  if (headers.has('Set-Token')) await loadUser();
  const name = /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? 'resposta';
  return {
    ok: true,
    headers,
    value: {
      status,
      text,
      isCut: isStream,
      ms: Math.round(performance.now() - started),
      headers: [...headers],
      file: content === undefined ? undefined : { name, content },
    },
  };
}

/** Reads the text until its end or the limit. */
async function textOf({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return text;
      text += value;
    }
  } catch {
    return text;
  }
}

const headersOf = ({ headers, body }: ReadyRequest): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(headers),
  ...(body.kind === 'json' && { 'Content-Type': 'application/json' }),
  ...(body.kind === 'file' && { 'Content-Type': body.type }),
});

function payloadOf({ body }: ReadyRequest, chosenFile: File | undefined): unknown {
  switch (body.kind) {
    case 'json':
      return new Blob([body.text]);
    case 'form': {
      const form = new FormData();
      form.set('file', chosenFile ?? new File([body.file], 'exemplo.json', { type: 'application/json' }));
      for (const [name, value] of Object.entries(body.parts)) if (value !== '') form.set(name, value);
      return form;
    }
    case 'file':
      return chosenFile ?? new Blob([]);
    default:
      return undefined;
  }
}
