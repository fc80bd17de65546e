import { isLoopback } from '../loopback.ts';
import { error, ok, warning } from '../model.ts';
import type { Check } from '../patient.ts';

/** What is legal and rarely meant. */
export const settings: Check = ({ settings: values, settingProblems }) => {
  if (settingProblems.length > 0)
    return error(
      `A configuração é inválida, e o servidor não inicia: ${settingProblems.join(' ')}`,
      'Corrija catp.toml, a variável CATP_* ou a opção que se nomeia.',
    );
  const isOpen =
    !isLoopback(values.host) && values['tls.porta'] === undefined && values['proxy.confiavel'].length === 0;
  const found = [
    ...(isOpen
      ? [
          `host = "${values.host}" atende outras máquinas sem TLS e sem um proxy confiável: chaves e tokens passam abertos`,
        ]
      : []),
    ...(values['cors.origens'].includes('*')
      ? ['cors.origens = "*" deixa qualquer página falar pelo navegador de quem entrou']
      : []),
  ];
  return found.length === 0
    ? ok('A configuração não abre nada que não se queira aberto.')
    : warning(
        `${found.join('; ')}.`,
        'Ponha TLS (tls.porta, tls.certificado, tls.chave) ou um proxy (proxy.confiavel), e nomeie as origens em cors.origens.',
      );
};
