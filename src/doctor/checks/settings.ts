import type { Settings } from '../../settings/config.ts';
import { isLoopback } from '../../system/loopback.ts';
import { error, ok, warning } from '../model.ts';
import type { Check } from '../diagnosis-target.ts';

/** Checks for settings that are valid but rarely intended. */
export const settings: Check = ({ settings: values, settingProblems }) => {
  if (settingProblems.length > 0)
    return error(
      `A configuração é inválida, e o servidor não inicia: ${settingProblems.join(' ')}`,
      'Corrija catp.toml, a variável CATP_* ou a opção que se nomeia.',
    );
  const isOpen =
    !isLoopback(values.host) && values['tls.porta'] === undefined && values['proxy.confiavel'].length === 0;
  const warnings = [
    ...(isOpen
      ? [
          `host = "${values.host}" atende outras máquinas sem TLS e sem um proxy confiável: chaves e tokens passam abertos`,
        ]
      : []),
    ...(values['cors.origens'].includes('*')
      ? ['cors.origens = "*" deixa qualquer página falar pelo navegador de quem entrou']
      : []),
  ];
  const proxies = proxyFindings(values);
  if (warnings.length + proxies.length === 0)
    return ok('A configuração não abre nada que não se queira aberto.');
  const remedies = [
    ...(warnings.length > 0
      ? [
          'Ponha TLS (tls.porta, tls.certificado, tls.chave) ou um proxy (proxy.confiavel), e nomeie as origens em cors.origens.',
        ]
      : []),
    ...(proxies.length > 0
      ? ['Nomeie cada proxy por seu endereço em proxy.confiavel, e dê-lhe um segredo com proxy.segredo.']
      : []),
  ];
  return warning(`${[...warnings, ...proxies].join('; ')}.`, remedies.join(' '));
};

/** Returns the settings that let other clients pass as a proxy. */
function proxyFindings(values: Settings): readonly string[] {
  const wide = values['proxy.confiavel'].filter(
    (network) => !network.endsWith(network.includes(':') ? '/128' : '/32'),
  );
  return [
    ...(wide.length > 0
      ? [
          `proxy.confiavel acredita em toda máquina de ${wide.join(', ')} o endereço que ela diz ser do cliente`,
        ]
      : []),
    ...(values['proxy.certificado'] !== undefined && values['proxy.segredo'] === ''
      ? [
          'proxy.certificado sem proxy.segredo: quem fala de um endereço confiável entra com o certificado que mostrar',
        ]
      : []),
  ];
}
