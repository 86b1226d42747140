interface Setting {
  readonly name: string;
  readonly fallback: string | null;
}

/** The table of `docs/settings.md`. */
export function settingsTable(
  settings: Readonly<Record<string, Setting>>,
  meanings: Readonly<Record<string, string>>,
): string {
  const rows = Object.entries(settings).map(([key, { name, fallback }]) => {
    const shown = fallback === null ? '–' : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${(meanings[key] ?? '').replaceAll('|', '\\|')} |`;
  });
  return ['| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
