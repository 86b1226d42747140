/** Saves an answer as a file. A plain link to the address would send no credential. */
export async function saveAnswer(answer: Response, name: string): Promise<void> {
  const file = document.createElement('a');
  file.href = URL.createObjectURL(await answer.blob());
  file.download = name;
  file.click();
  URL.revokeObjectURL(file.href);
}
