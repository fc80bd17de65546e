/** Small nomenclature files, and one of the public one's size. */

export const NOMENCLATURE = '/appliance/api/nomenclature';
export const DOWNLOAD = '/classif/api/publico/nomenclatura/download/json';

export type Line = readonly [codigo: string, descricao: string, from?: string, to?: string];

export const nomenclatureFile = (lines: readonly Line[]): object => ({
  Data_Ultima_Atualizacao_NCM: 'Vigente em 15/01/2026',
  Ato: 'Resolução inventada nº 1/2026',
  Nomenclaturas: lines.map(([Codigo, Descricao, from = '01/04/2022', to = '31/12/9999']) => ({
    Codigo,
    Descricao,
    Data_Inicio: from,
    Data_Fim: to,
    Tipo_Ato_Ini: 'Res Inventada',
    Numero_Ato_Ini: '1',
    Ano_Ato_Ini: '2026',
  })),
});

const FILLING = [
  ...['animais', 'vivos', 'frescos', 'refrigerados', 'congelados', 'preparações', 'alimentícias', 'têxteis'],
  ...[
    'sintéticos',
    'artificiais',
    'máquinas',
    'aparelhos',
    'elétricos',
    'mecânicos',
    'outros',
    'exceto',
    'de',
  ],
];

/** Some 15 000 rows, 10 500 of them of 8 digits, in the proportions of the public one. */
export function publicSize(): object {
  const lines: Line[] = [];
  let seed = 1;
  const words = (count: number): string =>
    Array.from(
      { length: count },
      () => FILLING[(seed = (seed * 48_271) % 2_147_483_647) % FILLING.length],
    ).join(' ');
  const two = (number: number): string => String(number).padStart(2, '0');
  for (let chapter = 1; chapter <= 97; chapter += 1) {
    lines.push([two(chapter), words(12)]);
    for (let heading = 1; heading <= 13; heading += 1) {
      lines.push([`${two(chapter)}.${two(heading)}`, words(20)]);
      for (let sub = 1; sub <= 3; sub += 1) {
        const six = `${two(chapter)}${two(heading)}.${sub}0`;
        lines.push([six, `- ${words(9)}`]);
        for (let item = 0; item < 3; item += 1) lines.push([`${six}.${two(item * 10)}`, words(8)]);
      }
    }
  }
  return nomenclatureFile(lines);
}
