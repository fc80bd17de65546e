import type { Phase } from './outcome.ts';

/**
 * The cause of a failure, from which its sentence is built. It holds facts about the outside world, never a
 * part of what was sent.
 */
export type Cause =
  | { readonly reason: 'request'; readonly code: string }
  | { readonly reason: 'name'; readonly host: string; readonly code: string }
  | {
      readonly reason: 'forbidden-address';
      readonly host: string;
      readonly address: string;
      readonly what: string;
    }
  | { readonly reason: 'connection' | 'tls' | 'certificate' | 'answer'; readonly code: string }
  | { readonly reason: 'timeout'; readonly deadlineMs: number }
  | { readonly reason: 'redirect' | 'status'; readonly status: number };

const DOING: Record<Phase, string> = {
  request: 'na montagem da requisição',
  name: 'na consulta do nome do servidor',
  connection: 'na conexão',
  tls: 'na negociação TLS',
  answer: 'na espera da resposta',
  body: 'na leitura do corpo da resposta',
};

/** Such an endpoint dates from an earlier start with that flag. */
const NOT_HTTPS = ': o endpoint não é https, e um receptor local por http pede catp dev --local-receivers';

/** Builds the sentence of a failure record (contract section 10): what happened and after how many ms. */
export function describe(cause: Cause, phase: Phase, ms: number): string {
  return `${sentence(cause, phase)}, após ${ms} ms.`;
}

function sentence(cause: Cause, phase: Phase): string {
  switch (cause.reason) {
    case 'request':
      return `A requisição não pôde ser montada (${cause.code}); nada foi enviado${cause.code === 'ERR_INVALID_URL' ? NOT_HTTPS : ''}`;
    case 'name':
      return `O nome ${cause.host} não pôde ser resolvido (${cause.code})`;
    case 'forbidden-address':
      return `O servidor ${cause.host} tem o endereço ${cause.address}, que é ${cause.what}; nada foi enviado`;
    case 'connection':
      return `A conexão com o destinatário falhou (${cause.code})`;
    case 'tls':
      return `A negociação TLS com o destinatário falhou (${cause.code}); é exigido TLS 1.2 ou superior`;
    case 'certificate':
      return `O certificado do destinatário não foi aceito (${cause.code}); nada foi enviado`;
    case 'answer':
      return `A resposta do destinatário não é HTTP válido ou foi interrompida (${cause.code})`;
    case 'timeout':
      return `O prazo de ${cause.deadlineMs} ms esgotou-se ${DOING[phase]}`;
    case 'redirect':
      return `O destinatário respondeu com o redirecionamento ${cause.status}, que nunca é seguido`;
    case 'status':
      return `O destinatário respondeu com o status ${cause.status}`;
  }
}
