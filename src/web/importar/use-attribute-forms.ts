/** What a table says of the attributes of the NCMs that a sheet names: how their values are written. */
import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { type NcmAnswer, prepareNcm } from '../attribute/ncm.ts';
import type { Chosen } from './chosen.ts';
import type { ImportKind } from './model.ts';
import { formsOf } from './sheet/attribute-forms.ts';
import type { AttributeForms } from './sheet/attributes.ts';
import { EMPTY } from './sheet/cell.ts';
import { codeOf } from './sheet/values.ts';

/** An ERP's file may name hundreds; beyond these, values are sent as they are written. */
const NCMS_MAX = 50;

const NONE: AttributeForms = new Map();

export function useAttributeForms(chosen: readonly Chosen[], kind: ImportKind): AttributeForms {
  const [forms, setForms] = useState(NONE);
  const asked = kind === 'produto' ? ncmsOf(chosen).join() : '';
  useEffect(() => {
    let isLeft = false;
    void formsOfNcms(asked === '' ? [] : asked.split(',')).then((found) => {
      if (!isLeft) setForms(found);
    });
    return () => void (isLeft = true);
  }, [asked]);
  return forms;
}

/** Each NCM once; where no table is loaded, or it does not know one, nothing is known of it. */
export async function formsOfNcms(ncms: readonly string[]): Promise<AttributeForms> {
  if (ncms.length === 0 || !(await isTableInForce())) return NONE;
  const answers = await Promise.all(
    ncms.map((ncm) => api.get<NcmAnswer>(`/cadatributos/api/ext/atributo-ncm/${encodeURIComponent(ncm)}`)),
  );
  return new Map(answers.flatMap((answer) => (answer.ok ? [...formsOf(prepareNcm(answer.value))] : [])));
}

async function isTableInForce(): Promise<boolean> {
  const ready = await api.get<{ readonly attributeTable: object | null }>('/readyz');
  return ready.ok && ready.value.attributeTable !== null;
}

function ncmsOf(chosen: readonly Chosen[]): readonly string[] {
  const cells = chosen.flatMap(({ sheets, sheet, mapping }) => {
    const place = mapping.indexOf('ncm');
    return place === -1 ? [] : (sheets[sheet]?.rows.map(({ cells }) => cells[place] ?? EMPTY) ?? []);
  });
  const ncms = new Set(cells.map((cell) => codeOf(cell, [8])).filter((code) => /^\d{8}$/.test(code)));
  return [...ncms].sort().slice(0, NCMS_MAX);
}
