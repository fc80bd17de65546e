/** Conversion of attribute values between the displayed form and the API form. */
import type { AttributeDetail } from '../../../catalogue/attribute/words/model.ts';
import { withCount, dayText, isoDay } from '../../words.ts';

/** Converts `13.5` to `13,5`. */
export const decimalText = (value: string): string => value.replace('.', ',');

/** Converts `1.234,5` to `1234.5`. Without a comma, a point is the decimal separator. */
export function wireDecimal(text: string): string {
  const bare = text.trim();
  return bare.includes(',') ? bare.replaceAll('.', '').replace(',', '.') : bare;
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})$/;

/** Converts `2026-11-20T10:31:07` to `20/11/2026 10:31:07`. */
export function momentText(value: string): string {
  const [, date, time] = MOMENT.exec(value) ?? [];
  return date === undefined ? value : `${dayText(date)} ${time}`;
}

/** Seconds are optional. An invalid moment is returned as typed. */
export function wireMoment(text: string): string {
  const [, date = '', time, seconds = ':00'] =
    /^([^\sT]+)[T ]+(\d{2}:\d{2})(:\d{2})?$/.exec(text.trim()) ?? [];
  return time === undefined ? text.trim() : `${isoDay(date)}T${time}${seconds}`;
}

export const nameOf = ({ nomeApresentacao, nome, codigo }: AttributeDetail): string =>
  nomeApresentacao || nome || codigo;

/** Returns the definition, the instructions and the accepted values, or `undefined` without any of them. */
export function guidanceOf(detail: AttributeDetail): string | undefined {
  const parts = [detail.definicao, detail.orientacaoPreenchimento, ...limitsOf(detail)];
  const texts = parts.map((text) => text.trim()).filter((text) => text !== '');
  return texts.length === 0 ? undefined : texts.map(asSentence).join(' ');
}

const asSentence = (text: string): string => (/[.!?:;]$/.test(text) ? text : `${text}.`);

function limitsOf({ formaPreenchimento, tamanhoMaximo, casasDecimais, mascara }: AttributeDetail): string[] {
  const limits: string[] = [];
  if (formaPreenchimento.startsWith('NUMERO')) {
    if (tamanhoMaximo !== undefined)
      limits.push(`até ${withCount(tamanhoMaximo, 'algarismo', 'algarismos')}`);
    if (formaPreenchimento === 'NUMERO_REAL' && casasDecimais !== undefined)
      limits.push(`até ${withCount(casasDecimais, 'casa decimal', 'casas decimais')}`);
  }
  const text = limits.join(', ');
  return [
    text.charAt(0).toUpperCase() + text.slice(1),
    mascara === undefined || !takesMask(formaPreenchimento)
      ? ''
      : `Máscara ${mascara} (9 = algarismo, A = letra, X = qualquer caractere)`,
  ];
}

const takesMask = (forma: AttributeDetail['formaPreenchimento']): boolean =>
  forma !== 'BOOLEANO' && forma !== 'DATA' && forma !== 'DATA_HORA' && forma !== 'LISTA_ESTATICA';
