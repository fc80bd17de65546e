/**
 * Types and words of the remotes pages (contract section 18): the shapes of the API and their names for
 * people.
 */
import type { StandingState as RemoteState } from '../../catalogue/members/standing.ts';
import type { ComparedRecord, Comparison, Remote, Run, RunStep } from '../api/answers.ts';
import { readableSentence } from '../sentences.ts';
import type { Tone } from '../ui/alert.tsx';
import type { IconName } from '../ui/icon.tsx';
import { numberText } from '../words.ts';

export const REMOTES = '/appliance/api/remotes';
export const COMPARISONS = '/appliance/api/comparisons';
export const RUNS = '/appliance/api/runs';

export const remotePath = (name: string, subpath = ''): string =>
  `${REMOTES}/${encodeURIComponent(name)}${subpath}`;

/**
 * Returns true for a remote with a network address. Exports of other remotes are uploaded. Only
 * administrators see the address.
 */
export const hasAddress = ({ perHour }: Remote): boolean => perHour !== undefined;

export type { RemoteState };
export type RemoteKind = ComparedRecord['kind'];

/** Listed in the order in which people look at them. */
export const KINDS: Readonly<Record<RemoteKind, readonly [singular: string, plural: string]>> = {
  produto: ['Produto', 'Produtos'],
  operador: ['Operador', 'Operadores'],
  vinculo: ['Vínculo', 'Vínculos'],
};
export const KIND_NAMES = Object.keys(KINDS) as readonly RemoteKind[];

export interface StateWords {
  readonly tone: Tone | 'muted';
  readonly icon: IconName;
  readonly meaning: string;
  /** The action that the state requires. */
  readonly action: string;
}

/** Listed from states that need a decision or a correction to states that need nothing. */
export const STATES: Readonly<Record<RemoteState, StateWords>> = {
  ambiguo: {
    tone: 'warn',
    icon: 'alert',
    meaning: 'Mais de um registro de lá pode ser este.',
    action: 'Diga qual deles é, ou que este é novo lá.',
  },
  mudouNosDois: {
    tone: 'warn',
    icon: 'alert',
    meaning: 'Mudou dos dois lados, ou nunca foi igual.',
    action: 'Diga qual conteúdo vale: até lá nenhum dos dois é sobrescrito.',
  },
  recusado: {
    tone: 'bad',
    icon: 'cross',
    meaning: 'O outro lado o recusou no último envio.',
    action: 'Corrija-o aqui pelo que diz o motivo, compare e envie de novo.',
  },
  incerto: {
    tone: 'warn',
    icon: 'clock',
    meaning: 'Não se sabe se o último envio foi feito lá.',
    action: 'Confira lá. Se não está, envie-o de novo.',
  },
  naoEnviavel: {
    tone: 'muted',
    icon: 'dash',
    meaning: 'As regras de lá o recusariam, ou registros assim não são enviados.',
    action: 'Corrija-o aqui pelo que diz o motivo, se deve estar lá.',
  },
  soAqui: { tone: 'calm', icon: 'plus', meaning: 'Não está lá.', action: 'Enviar o inclui lá.' },
  mudouAqui: {
    tone: 'calm',
    icon: 'pencil',
    meaning: 'Mudou só aqui, desde que os dois eram iguais.',
    action: 'Enviar faz lá uma nova versão.',
  },
  desativadoAqui: {
    tone: 'calm',
    icon: 'cross',
    meaning: 'Aqui está desativado, ou desvinculado; lá, não.',
    action: 'Enviar o desativa, ou desvincula, lá.',
  },
  soLa: { tone: 'calm', icon: 'download', meaning: 'Não está aqui.', action: 'Trazer o inclui aqui.' },
  mudouLa: {
    tone: 'calm',
    icon: 'pencil',
    meaning: 'Mudou só lá, desde que os dois eram iguais.',
    action: 'Trazer faz aqui uma nova versão.',
  },
  desativadoLa: {
    tone: 'calm',
    icon: 'cross',
    meaning: 'Lá está desativado, desvinculado, ou não consta mais.',
    action: 'Veja lá por quê. Trazer o desativa, ou desvincula, aqui.',
  },
  igual: {
    tone: 'good',
    icon: 'check',
    meaning: 'O mesmo conteúdo, códigos internos e situação dos dois lados.',
    action: 'Nada a fazer.',
  },
};
export const STATE_NAMES = Object.keys(STATES) as readonly RemoteState[];

/** The states that each direction moves; the first ones are moved without an explicit request. */
export const MOVED: Readonly<Record<Run['direction'], readonly RemoteState[]>> = {
  send: ['soAqui', 'mudouAqui', 'desativadoAqui', 'recusado', 'incerto'],
  fetch: ['soLa', 'mudouLa', 'desativadoLa'],
};
/**
 * Returns true for a state that is moved by default. Refused and uncertain records are moved again only on
 * request.
 */
export const isMovedByDefault = (state: RemoteState): boolean => state !== 'recusado' && state !== 'incerto';

export const VERBS: Readonly<Record<Run['direction'], string>> = { send: 'Enviar', fetch: 'Trazer' };

/** `Envio 12` */
export const runTitle = ({ id, direction, simulated }: Pick<Run, 'id' | 'direction' | 'simulated'>): string =>
  `${simulated ? 'Plano' : direction === 'send' ? 'Envio' : 'Busca'} ${id}`;

export const OPERATIONS: Readonly<
  Record<RunStep['operation'], readonly [verb: string, singular: string, plural: string]>
> = {
  include: ['Incluir', 'inclusão', 'inclusões'],
  newVersion: ['Nova versão', 'nova versão', 'novas versões'],
  link: ['Vincular', 'vínculo', 'vínculos'],
  unlink: ['Desvincular', 'desvínculo', 'desvínculos'],
  deactivate: ['Desativar', 'desativação', 'desativações'],
};

export const isComparing = ({ state }: Comparison): boolean => state === 'queued' || state === 'running';

export const isRunOver = ({ state }: Run): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled';

/** Rewrites a sentence of the server with numbers in the notation of people. */
export const rewordSentence = (sentence: string): string =>
  readableSentence(sentence).replaceAll(/(?<=por )\d{11}\b/g, numberText);

/** Formats code and version of the remote record as `12 v3`. */
export const remoteCodeText = ({
  remoteCodigo,
  remoteVersao,
}: Pick<RunStep, 'remoteCodigo' | 'remoteVersao'>): string =>
  remoteCodigo === null ? '–' : `${remoteCodigo}${remoteVersao === null ? '' : ` v${remoteVersao}`}`;
