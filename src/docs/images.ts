/** The images of the handbook, created by scripts/screenshots. Loaded with the first requested image. */
import administracao from './images/administracao.png' with { type: 'file' };
import atributos from './images/atributos.png' with { type: 'file' };
import entrar from './images/entrar.png' with { type: 'file' };
import importar from './images/importar.png' with { type: 'file' };
import notificacoes from './images/notificacoes.png' with { type: 'file' };
import operador from './images/operador.png' with { type: 'file' };
import operadores from './images/operadores.png' with { type: 'file' };
import painel from './images/painel.png' with { type: 'file' };
import produto from './images/produto.png' with { type: 'file' };
import produtoNovo from './images/produto-novo.png' with { type: 'file' };
import produtos from './images/produtos.png' with { type: 'file' };
import quinzeAprovar from './images/quinze-aprovar.png' with { type: 'file' };
import quinzeAviso from './images/quinze-aviso.png' with { type: 'file' };
import quinzeComparar from './images/quinze-comparar.png' with { type: 'file' };
import quinzeConferir from './images/quinze-conferir.png' with { type: 'file' };
import quinzeEntrar from './images/quinze-entrar.png' with { type: 'file' };
import quinzeEnviar from './images/quinze-enviar.png' with { type: 'file' };
import referencia from './images/referencia.png' with { type: 'file' };
import requisicoes from './images/requisicoes.png' with { type: 'file' };
import vinculos from './images/vinculos.png' with { type: 'file' };
import vinculosNovo from './images/vinculos-novo.png' with { type: 'file' };

/** Path of each image, on disk or in the executable, by its name in the pages. */
export const IMAGES: ReadonlyMap<string, string> = new Map([
  ['administracao.png', administracao],
  ['atributos.png', atributos],
  ['entrar.png', entrar],
  ['importar.png', importar],
  ['notificacoes.png', notificacoes],
  ['operador.png', operador],
  ['operadores.png', operadores],
  ['painel.png', painel],
  ['produto.png', produto],
  ['produto-novo.png', produtoNovo],
  ['produtos.png', produtos],
  ['quinze-aprovar.png', quinzeAprovar],
  ['quinze-aviso.png', quinzeAviso],
  ['quinze-comparar.png', quinzeComparar],
  ['quinze-conferir.png', quinzeConferir],
  ['quinze-entrar.png', quinzeEntrar],
  ['quinze-enviar.png', quinzeEnviar],
  ['referencia.png', referencia],
  ['requisicoes.png', requisicoes],
  ['vinculos.png', vinculos],
  ['vinculos-novo.png', vinculosNovo],
]);
