/** Every form of an attribute: its field and the sent value. */
import { expect, test } from 'bun:test';
import { describedBy, faultsOf } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, inBrowser } from './support.ts';

const RAIZ = '12345678';
const ALWAYS = { dataInicioVigencia: '2020-01-01', dataFimVigencia: '' };
const HOSTILE = `<b>Nome</b> \u202Emarcado\u202C ${'longo'.repeat(30)}`;

const attribute = (codigo: string, nomeApresentacao: string, formaPreenchimento: string, members = {}) => ({
  codigo,
  nome: nomeApresentacao,
  nomeApresentacao,
  formaPreenchimento,
  ...ALWAYS,
  definicao: '',
  orientacaoPreenchimento: '',
  objetivos: [{ codigo: 7, descricao: 'Produto' }],
  dominio: [],
  orgaos: [],
  condicionados: [],
  listaSubatributos: [],
  atributoCondicionante: false,
  ...members,
});

const COLOURS = Array.from({ length: 300 }, (_, index) => ({
  codigo: String(index + 1),
  descricao: `Cor número ${index + 1}`,
}));

const ATTRIBUTES = [
  attribute('ATT_1', 'Momento', 'DATA_HORA'),
  attribute('ATT_2', 'Registro', 'TEXTO', { tamanhoMaximo: 4, mascara: '99.AA-9' }),
  attribute('ATT_3', 'Apelidos', 'TEXTO', { tamanhoMaximo: 20 }),
  attribute('ATT_4', 'Cores', 'LISTA_ESTATICA', {
    dominio: COLOURS,
    condicionados: [
      {
        obrigatorio: true,
        multivalorado: false,
        ...ALWAYS,
        descricaoCondicao: 'Cor 10',
        condicao: { operador: '==', valor: '10' },
        atributo: attribute('ATT_5', 'Tom da dez', 'NUMERO_INTEIRO', { tamanhoMaximo: 3 }),
      },
    ],
  }),
  attribute('ATT_6', 'Lista de fora', 'DOMINIO_DINAMICO', { tamanhoMaximo: 20 }),
  attribute('ATT_7', 'Dias', 'DATA'),
  attribute('ATT_8', HOSTILE, 'TEXTO', { definicao: HOSTILE, orientacaoPreenchimento: 'x'.repeat(300) }),
];
const SEVERAL = ['ATT_3', 'ATT_4', 'ATT_7'];
const TABLE = {
  versao: 'formas',
  listaNcm: [
    {
      codigoNcm: '1111.11.11',
      listaAtributos: ATTRIBUTES.map(({ codigo }) => ({
        codigo,
        modalidade: 'Importação',
        obrigatorio: false,
        ...ALWAYS,
        multivalorado: SEVERAL.includes(codigo),
      })),
    },
  ],
  detalhesAtributos: ATTRIBUTES,
};

inBrowser('the attributes of a product', ['dev', '--empty'], (site) => {
  test('of every form are filled in in the usual written form, and sent in the form of the API', async () => {
    const loaded = await site.call('admin', 'POST', '/appliance/api/attribute-tables', TABLE);
    const { id } = await loaded.json();
    await site.call('admin', 'POST', `/appliance/api/attribute-tables/${id}/activate`, {});
    const { page, complaints } = await site.enter('demo', `/produtos/novo?cpfCnpjRaiz=${RAIZ}`);
    await page.getByLabel('Denominação').fill('De toda forma');
    await page.getByLabel('NCM').fill('apelido');
    await page.getByRole('option', { name: '1111.11.11' }).click();
    await page.getByLabel('Modalidade').selectOption('IMPORTACAO');

    await page.getByLabel('Momento').fill('20/11/2026 10:31');
    await eventually(() => describedBy(page, 'Registro')).toContain('Máscara 99.AA-9');
    await page.getByLabel('Registro').fill('12.AB');
    await page.getByLabel('Apelidos').fill('Um');
    await page.getByRole('button', { name: 'Mais um valor' }).first().click();
    await page.getByLabel('Apelidos (2)').fill('Dois');
    await page.getByRole('button', { name: 'Mais um valor' }).nth(1).click();
    await page.getByLabel('Dias', { exact: true }).fill('20/11/2026');
    await page.getByLabel('Dias (2)').fill('2026-11-21');

    // Several codes begin with 1: Enter selects the code 1 itself.
    const colours = page.getByLabel('Cores');
    await colours.fill('1');
    await colours.press('Enter');
    expect(await page.getByLabel('Tom da dez').count()).toBe(0);
    await colours.fill('10');
    await colours.blur();
    await page.getByLabel('Tom da dez').fill('7');
    await page.getByLabel('Lista de fora').fill('ABC');
    await page.getByLabel('Nome', { exact: false }).fill('linha\noutra');
    await expectGoodPage(page, 'Novo produto', 'produto-formas');

    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await eventually(() => faultsOf(page)).toEqual(['Registro']);
    await page.getByLabel('Registro').fill('12.AB-3');
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    await page.waitForURL(`**/produtos/${RAIZ}/1`);
    const saved = await site.call('demo', 'GET', `/catp/api/ext/produto/${RAIZ}/1/1`);
    expect(await saved.json()).toMatchObject({
      atributos: [
        { atributo: 'ATT_1', valor: '2026-11-20T10:31:00' },
        { atributo: 'ATT_2', valor: '12.AB-3' },
        { atributo: 'ATT_5', valor: '7' },
        { atributo: 'ATT_6', valor: 'ABC' },
        { atributo: 'ATT_8', valor: 'linha\noutra' },
      ],
      atributosMultivalorados: [
        { atributo: 'ATT_3', valores: ['Um', 'Dois'] },
        { atributo: 'ATT_4', valores: ['1', '10'] },
        { atributo: 'ATT_7', valores: ['2026-11-20', '2026-11-21'] },
      ],
    });
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
    await page.context().close();
  });

  test('with an invalid value among several name that value', async () => {
    const { page } = await site.enter('demo', `/produtos/novo?cpfCnpjRaiz=${RAIZ}&copiar=1`);
    await page.getByLabel('Dias (2)').fill('31/02/2026');
    await page.getByRole('button', { name: 'Retirar 10 Cor número 10' }).click();
    await page.getByLabel('Tom da dez').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await eventually(() => faultsOf(page)).toEqual(['Dias (2)']);
    await page.context().close();
  });
});
