/**
 * Finds the days on which a rule of a table starts: a pair, an attribute or a condition. A rule that ends
 * adds no requirement, so its last day is not listed.
 */
import type { Day } from '../../../clock.ts';
import type { AttributeDetail, AttributeTable, Validity } from '../words/model.ts';

/** Returns the first days of all rules of the table, in order, each once. */
export function boundaryDays({ listaNcm, detalhesAtributos }: AttributeTable): Day[] {
  const starts = new Set<Day>();
  const add = ({ dataInicioVigencia }: Validity): void => {
    if (dataInicioVigencia !== '') starts.add(dataInicioVigencia);
  };
  const addDetail = (detail: AttributeDetail): void => {
    add(detail);
    for (const conditional of detail.condicionados) {
      add(conditional);
      addDetail(conditional.atributo);
    }
    for (const sub of detail.listaSubatributos) addDetail(sub);
  };
  for (const { listaAtributos } of listaNcm) for (const pair of listaAtributos) add(pair);
  for (const detail of detalhesAtributos) addDetail(detail);
  return [...starts].sort();
}

/** Returns true if a rule starts after `startDay`, up to and including `day`. */
export const changedBetween = (boundaries: readonly Day[], startDay: Day, day: Day): boolean =>
  boundaries.some((boundary) => startDay < boundary && boundary <= day);
