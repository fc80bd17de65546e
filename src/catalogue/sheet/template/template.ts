/**
 * Builds a template (contract section 24): the columns of a kind, the attribute columns of an NCM, and an
 * example.
 */
import type { Clock, Day } from '../../../clock.ts';
import { type Problem, unprocessable } from '../../../errors.ts';
import type { FormColumn } from '../../../sheet/form.ts';
import { dayOf } from '../../../validation/calendar.ts';
import type { CatalogueRules } from '../../../validation/company.ts';
import { fieldProblem } from '../../../validation/decoding.ts';
import type { NcmGuide } from '../../attribute/words/model.ts';
import type { ImportKind } from '../../import/model.ts';
import { PRODUCT } from '../../members/product.ts';
import type { Modalidade } from '../../product/model.ts';
import { attributeColumns } from './attributes.ts';
import { memberColumns } from './members.ts';

export interface TemplateParts {
  readonly rules: CatalogueRules;
  readonly clock: Clock;
  /**
   * Returns the requirements of the table in force on that day.
   * `undefined`: no table.
   * Throws 422 for an NCM that is not in it.
   */
  readonly guideOf: (day: Day, ncm: string, modalidade?: Modalidade) => NcmGuide | undefined;
}

export interface TemplateRequest {
  readonly tipo?: ImportKind;
  readonly ncm?: string;
  readonly modalidade?: Modalidade;
}

export interface Template {
  /** Name of the sheet. */
  readonly name: string;
  /** Name of the file, without its extension. */
  readonly fileName: string;
  readonly columns: readonly FormColumn[];
}

const NAMES: Readonly<Record<ImportKind, string>> = {
  produto: 'Produtos',
  'operador-estrangeiro': 'Operadores estrangeiros',
  fabricante: 'Vínculos',
  'ato-concessorio': 'Atos concessórios',
};

const DESCRIPTION = 'O que o produto é, e o que o distingue dos outros';

/** Throws 400, 422. */
export function templateOf(
  { rules, clock, guideOf }: TemplateParts,
  { tipo = 'produto', ncm, modalidade }: TemplateRequest,
): Template {
  if (tipo !== 'produto') refuseProductParameters({ ncm, modalidade });
  const requirements = ncm === undefined ? undefined : guideOf(dayOf(clock.now()), ncm, modalidade);
  const exampleModalidade: Modalidade = modalidade ?? 'IMPORTACAO';
  const examples = {
    modalidade: PRODUCT.modalidade.choices[exampleModalidade],
    ...(ncm !== undefined && {
      ncm,
      denominacao: `Exemplo de produto da NCM ${ncm}`,
      descricao: DESCRIPTION,
    }),
  };
  const attributes =
    requirements === undefined ? [] : attributeColumns(requirements, modalidade === undefined);
  return {
    name: NAMES[tipo],
    fileName: `modelo-${tipo}${ncm === undefined ? '' : `-${ncm}`}`,
    columns: [...memberColumns(tipo, rules, tipo === 'produto' ? examples : {}), ...attributes],
  };
}

function refuseProductParameters(parameters: Readonly<Record<string, string | undefined>>): void {
  const problems = Object.entries(parameters).flatMap(([name, value]): readonly Problem[] => {
    const message = 'só um modelo de produtos o tem; retire-o, ou peça tipo=produto.';
    return value === undefined ? [] : [fieldProblem(name, message, name)];
  });
  if (problems.length > 0) throw unprocessable(problems);
}
