/** What needs somebody: what it is, what to do, and where. The gravest first. */
import type {
  CatalogueSummary,
  DeadlineDays,
  DeliverySummary,
  Finding,
  ImportProgress,
  Readiness,
} from '../api/answers.ts';
import { undoingOf } from '../importar/kinds.ts';
import { count, counted, day } from '../words.ts';

export interface Matter {
  readonly key: string;
  readonly tone: 'warn' | 'bad' | 'calm';
  readonly title: string;
  readonly advice: string;
  /** Where it is dealt with, by who may. */
  readonly place?: { readonly href: string; readonly action: string };
}

export interface Known {
  readonly summary?: CatalogueSummary | undefined;
  /** Of the next thirty days. */
  readonly deadlines?: DeadlineDays | undefined;
  readonly deliveries?: DeliverySummary | undefined;
  readonly imports?: readonly ImportProgress[] | undefined;
  readonly readiness?: Readiness | undefined;
  /** Why the server takes no writes now. */
  readonly refusal?: string | undefined;
  /** Of the doctor, who is asked by administrators. */
  readonly findings?: readonly Finding[] | undefined;
  /** Who may load a table is told to load one. */
  readonly isAdministrator: boolean;
}

export const mattersOf = (known: Known): readonly Matter[] =>
  all(known).toSorted((one, other) => GRAVEST.indexOf(one.tone) - GRAVEST.indexOf(other.tone));

const GRAVEST: readonly Matter['tone'][] = ['bad', 'warn', 'calm'];

const all = (known: Known): readonly Matter[] => [
  ...refusal(known),
  ...found(known),
  ...failingReceivers(known),
  ...deactivated(known),
  ...lacking(known),
  ...failedImports(known),
  ...noTable(known),
  ...drafts(known),
];

const DIAGNOSIS = { href: '/administracao?aba=diagnostico', action: 'Ver diagnóstico' };
const COPIES: Readonly<Record<string, string>> = { backup: 'Fazer cópia', drill: 'Testar cópia' };

function refusal({ refusal: advice, isAdministrator }: Known): readonly Matter[] {
  if (advice === undefined) return [];
  const title = 'O serviço não aceita gravações agora';
  return [{ key: 'readiness', tone: 'bad', title, advice, ...(isAdministrator && { place: DIAGNOSIS }) }];
}

/** What the doctor does not find good: a disk, a certificate, a folder in memory, copies that are missing. */
function found({ findings = [] }: Known): readonly Matter[] {
  return findings
    .filter(({ level }) => level === 'error' || level === 'warning')
    .map(({ check, level, message, remedy }) => ({
      ...{ key: check, tone: level === 'error' ? 'bad' : 'warn', title: message, advice: remedy ?? '' },
      place:
        COPIES[check] === undefined
          ? DIAGNOSIS
          : { href: '/administracao?aba=copias', action: COPIES[check] },
    }));
}

function failingReceivers({ deliveries }: Known): readonly Matter[] {
  return (deliveries?.failing ?? []).map(({ subscriptionId, evento, endpoint, since }) => ({
    key: `assinatura-${subscriptionId}`,
    tone: 'bad',
    title: `A assinatura ${subscriptionId} falha desde ${day(since)}: ${evento}`,
    advice: `Confira se ${shortened(endpoint)} responde em 3,5 segundos com um status 2xx e um certificado válido. Depois de 30 dias só de falhas a assinatura é excluída.`,
    place: {
      href: `/notificacoes?aba=entregas&subscriptionId=${subscriptionId}`,
      action: 'Ver entregas',
    },
  }));
}

const SHOWN_MOST = 80;
const shortened = (text: string): string =>
  text.length > SHOWN_MOST ? `${text.slice(0, SHOWN_MOST)}…` : text;

function deactivated({ summary }: Known): readonly Matter[] {
  const number = summary?.products.deactivatedBySystem ?? 0;
  if (summary === undefined || number === 0) return [];
  const them = counted(number, 'produto desativado', 'produtos desativados');
  return [
    {
      ...{ key: 'deactivatedBySystem', tone: 'bad', title: `${them} pelo sistema` },
      advice: 'Os atributos da sua NCM mudaram. Grave uma nova versão de cada um com o que falta.',
      place: {
        href: `/atributos?aba=corrigir&cpfCnpjRaiz=${summary.cpfCnpjRaiz}`,
        action: 'Corrigir',
      },
    },
  ];
}

function lacking({ summary, deadlines }: Known): readonly Matter[] {
  if (summary === undefined || deadlines === undefined || deadlines.total === 0) return [];
  const { total } = deadlines;
  return [
    {
      ...{ key: 'deadlines', tone: 'warn' },
      title: `${counted(total, 'produto não tem', 'produtos não têm')} o que vai ser exigido em até 30 dias`,
      advice: 'Preencha antes do dia: o que ainda faltar quando a tabela o exigir é desativado.',
      place: {
        href: `/atributos?aba=corrigir&cpfCnpjRaiz=${summary.cpfCnpjRaiz}&fonte=due`,
        action: 'Corrigir',
      },
    },
  ];
}

function failedImports({ imports = [] }: Known): readonly Matter[] {
  return imports.flatMap(({ id, simular, state, failed, fileName, undoes }): readonly Matter[] => {
    if (simular || state === 'cancelled' || (failed === 0 && state !== 'failed')) return [];
    if (undoingOf(id, imports) !== undefined) return [];
    return [
      {
        ...{ key: `importacao-${id}`, tone: 'warn' },
        title:
          state === 'failed'
            ? `${fileName} não pôde ser lido`
            : `${fileName}: ${count(failed)} com erro na importação`,
        advice:
          state === 'failed'
            ? 'Nada foi gravado. Veja o motivo e envie o arquivo de novo.'
            : undoes === null
              ? 'O resto foi gravado. Veja o motivo de cada erro e importe só os que falharam.'
              : 'O resto foi desfeito. O que mudou depois ficou como está: veja cada um, e mude no registro o que ainda for preciso.',
        place: { href: `/importar/${id}`, action: 'Ver resultado' },
      },
    ];
  });
}

function noTable({ readiness, isAdministrator }: Known): readonly Matter[] {
  if (readiness === undefined || readiness.attributeTable !== null) return [];
  return [
    {
      ...{ key: 'attributeTable', tone: 'warn', title: 'Nenhuma tabela de atributos carregada' },
      advice: isAdministrator
        ? 'Os atributos dos produtos não são conferidos. Carregue a tabela pública de atributos por NCM.'
        : 'Os atributos dos produtos não são conferidos. Peça ao administrador que carregue a tabela pública.',
      place: { href: '/atributos', action: isAdministrator ? 'Carregar tabela' : 'Ver a tabela' },
    },
  ];
}

function drafts({ summary }: Known): readonly Matter[] {
  const number = summary?.products.RASCUNHO ?? 0;
  if (summary === undefined || number === 0) return [];
  return [
    {
      ...{ key: 'drafts', tone: 'calm', title: `${counted(number, 'rascunho', 'rascunhos')} por terminar` },
      advice: 'Complete o que falta e ative: enquanto rascunho, o produto não vale.',
      place: {
        href: `/produtos?cpfCnpjRaiz=${summary.cpfCnpjRaiz}&situacao=RASCUNHO`,
        action: 'Ver rascunhos',
      },
    },
  ];
}

const DAY_MS = 86_400_000;

/** `hoje`, `ontem`, `há 3 dias`; by the days of the server, whose clock may be a test clock. */
export function ageInWords(at: string, today: string): string {
  const age = Math.round((Date.parse(`${today}T12:00Z`) - Date.parse(`${at.slice(0, 10)}T12:00Z`)) / DAY_MS);
  if (age <= 0) return 'hoje';
  return age === 1 ? 'ontem' : `há ${count(age)} dias`;
}

/** There is nothing in the catalogue, and nothing has been. */
export const isEmpty = ({ products, foreignOperators }: CatalogueSummary): boolean =>
  [products.ATIVADO, products.DESATIVADO, products.RASCUNHO].every((number) => number === 0) &&
  [foreignOperators.ATIVADO, foreignOperators.DESATIVADO].every((number) => number === 0);
