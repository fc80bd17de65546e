/** The days on which the rules of a table change by themselves: something starts, or is over for the first time. */
import type { Day } from '../../../clock.ts';
import { nextDay } from '../../../validation/calendar.ts';
import type { AttributeDetail, AttributeTable, Validity } from '../model.ts';

/** In order, each once. */
export function boundaryDays({ listaNcm, detalhesAtributos }: AttributeTable): Day[] {
  const starts = new Set<Day>();
  const ends = new Set<Day>();
  const add = ({ dataInicioVigencia, dataFimVigencia }: Validity): void => {
    if (dataInicioVigencia !== '') starts.add(dataInicioVigencia);
    if (dataFimVigencia !== '') ends.add(dataFimVigencia);
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
  return [...new Set([...starts, ...[...ends].map(dayAfter)])].sort();
}

/** The public table ends some things with the calendar itself. */
const LAST_DAY: Day = '9999-12-31';
const dayAfter = (day: Day): Day => (day >= LAST_DAY ? LAST_DAY : nextDay(day));

/** Whether the rules changed after the day `since`, up to and with `day`. */
export const changedBetween = (boundaries: readonly Day[], since: Day, day: Day): boolean =>
  boundaries.some((boundary) => since < boundary && boundary <= day);
