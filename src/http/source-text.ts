/** Describes in Portuguese the origin of an operation, and the page of the handbook that explains it. */
import type { Operation } from './operation.ts';

type Source = Pick<Operation<never>, 'tag' | 'source' | 'path'>;

/** Page of `/ajuda` for each group of operations. A test holds that every group has one that exists. */
export const HELP_OF_TAG: Readonly<Record<string, string>> = {
  Administração: 'servidor',
  'Assinaturas de eventos': 'notificacoes',
  'Atos concessórios': 'primeiros-passos',
  Auditoria: 'auditoria',
  Autenticação: 'primeiros-passos',
  Desenvolvimento: 'controle-de-testes',
  Entregas: 'notificacoes',
  Eventos: 'notificacoes',
  Importações: 'importar',
  Nomenclatura: 'atributos',
  Operação: 'acompanhar',
  'Operadores estrangeiros': 'interface-web',
  Planilhas: 'importar',
  Prazos: 'prazos',
  Produtos: 'interface-web',
  Remotos: 'remotos',
  'Tabelas de atributos': 'atributos',
  'Vínculos de fabricantes e produtores': 'interface-web',
};

/**
 * Paths of the public service. The service itself documents those of its operations that the specification
 * omits.
 */
const PUBLIC_PATH = /^\/(catp|portal|cadatributos|classif)\//;
const SPECIFICATION = 'specification, ';

/** Returns the origin of operations of one group, and their page of the handbook. */
export function sourceText(tag: string, operations: readonly Source[]): string {
  const origins = new Set(operations.map(originOf));
  const help = HELP_OF_TAG[tag];
  return `Fonte: ${[...origins].join('; ')}.${help === undefined ? '' : ` Na ajuda: /ajuda/${help}.`}`;
}

function originOf({ source, path }: Source): string {
  if (source.startsWith(SPECIFICATION)) return `especificação, ${source.slice(SPECIFICATION.length)}`;
  return PUBLIC_PATH.test(path)
    ? 'interface pública do Portal Único'
    : 'esta instância, além da especificação';
}
