/**
 * Finds the days on which the rules of a table require more because something starts. An end requires
 * nothing more.
 */
import type { Day } from '../../../clock.ts';
import type { AttributeDetail, AttributeTable, Validity } from '../words/model.ts';

/** Returns the days in order, each once. */
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

/** Returns true if the rules changed after the day `startDay`, up to and including `day`. */
export const changedBetween = (boundaries: readonly Day[], startDay: Day, day: Day): boolean =>
  boundaries.some((boundary) => startDay < boundary && boundary <= day);
