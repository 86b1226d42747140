/** Saves an answer as a file. A link to the address of the answer would send no credential. */
export async function saveAnswer(answer: Response, name: string): Promise<void> {
  save(await answer.blob(), name);
}

export function save(content: Blob, name: string): void {
  const file = document.createElement('a');
  file.href = URL.createObjectURL(content);
  file.download = name;
  file.click();
  URL.revokeObjectURL(file.href);
}
