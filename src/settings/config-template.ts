/** The catp.toml that `catp init` writes: every setting, told and switched off, but for those that were given. */
import { SETTINGS } from './settings.ts';

const HEAD = `# Configuração desta instância do catp. Todo comando com --data nesta pasta lê este arquivo.
# Retire o "#" do começo da linha para mudar um valor; o que está comentado é o padrão.
# Uma variável CATP_* vale mais que este arquivo, e a linha de comando vale mais que as duas.
`;

/** `given`: what is to be in force, by name. */
export function configTemplate(given: ReadonlyMap<string, string>): string {
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const preset = 'preset' in setting ? setting.preset : undefined;
    const byProfile = preset === undefined ? '' : ` Com perfil "portal": ${tomlOf(preset.portal)}.`;
    const chosen = given.get(name);
    const line = `${name} = ${tomlOf(chosen ?? preset?.especificacao ?? setting.default)}`;
    return `# ${setting.about}${byProfile}\n${chosen === undefined ? `# ${line}` : line}\n`;
  });
  return [HEAD, ...entries].join('\n');
}

/** Numbers and switches as they are, anything else as a text. */
const tomlOf = (value: string): string =>
  /^(true|false|0|[1-9]\d{0,14})$/.test(value) ? value : JSON.stringify(value);
