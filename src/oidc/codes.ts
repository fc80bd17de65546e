/** Codes of refused sign-ins by the provider, CATP-ER19nn: the page shows them, and the log has them. */
import { rulesOf } from '../errors.ts';

export const PROVIDER_CODES = rulesOf({
  notStarted: 'CATP-ER1901 Entrada pelo provedor que não começou neste navegador, já foi usada ou venceu.',
  notAuthorized: 'CATP-ER1902 O provedor não autorizou a entrada.',
  codeRefused: 'CATP-ER1903 O provedor recusou o código da entrada: já foi usado ou venceu.',
  clientRefused: 'CATP-ER1904 O provedor não aceitou esta instância como cliente.',
  answerRefused: 'CATP-ER1905 A resposta do provedor não pôde ser aceita.',
  providerAway: 'CATP-ER1906 O provedor não respondeu, ou não como deve.',
  unknownPerson: 'CATP-ER1907 Quem entrou no provedor não está cadastrado nesta instância.',
  noAccess: 'CATP-ER1908 Quem entrou no provedor não pode entrar nesta instância.',
  badCode:
    'CATP-ER1909 Código de entrada pelo provedor desconhecido, já usado, vencido, de outro navegador ou anterior ao encerramento das sessões da pessoa.',
});

export type ProviderRule = keyof typeof PROVIDER_CODES;
