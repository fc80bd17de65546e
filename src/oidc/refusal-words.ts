/** Portuguese texts of a refused sign-in, for the person concerned. Setting names are only in the details. */
import type { ProviderRule } from './codes.ts';

interface RefusalWords {
  readonly event: string;
  readonly next: string;
}

type PageRule = Exclude<ProviderRule, 'badCode'>;

const SHOW_DETAILS = 'Se voltar a acontecer, mostre os detalhes a quem administra esta instalação.';

/** `home`: the address of this instance. */
export const refusalWords = (rule: PageRule, home: string): RefusalWords => WORDS(home)[rule];

const WORDS = (home: string): Readonly<Record<PageRule, RefusalWords>> => ({
  notStarted: {
    event: 'Esta entrada não começou neste navegador, já foi usada ou passou de 10 minutos.',
    next: `Comece de novo em ${home}/entrar, no mesmo navegador e por esse endereço. Não abra a página de retorno pelos favoritos nem pelo histórico.`,
  },
  notAuthorized: {
    event: 'O provedor não autorizou a entrada.',
    next: `Tente de novo, com a sua conta da empresa. ${SHOW_DETAILS}`,
  },
  codeRefused: {
    event: 'O provedor recusou o código desta entrada: ele já foi usado ou venceu.',
    next: `Comece a entrada de novo. ${SHOW_DETAILS}`,
  },
  clientRefused: {
    event: 'O provedor não reconheceu esta instalação.',
    next: 'Mostre os detalhes a quem administra esta instalação: o cadastro dela no provedor precisa ser conferido. Enquanto isso, entre de outra forma.',
  },
  answerRefused: {
    event: 'A resposta do provedor não pôde ser aceita, e ninguém entrou com ela.',
    next: `Comece a entrada de novo. ${SHOW_DETAILS}`,
  },
  providerAway: {
    event: 'O provedor não respondeu como devia, ou não respondeu em 10 segundos.',
    next: `Tente de novo em alguns minutos, ou entre de outra forma. ${SHOW_DETAILS}`,
  },
  unknownPerson: {
    event: 'O provedor reconheceu você, mas esta instalação não tem o seu cadastro.',
    next: 'Peça acesso a quem administra esta instalação e mostre o que veio do provedor: com isso o administrador cadastra você ou liga essa identidade ao seu cadastro.',
  },
  noAccess: {
    event: 'O provedor reconheceu você, mas o seu cadastro ainda não permite entrar aqui.',
    next: 'Peça a quem administra esta instalação acesso a uma empresa.',
  },
});
