// Khronos' glTF validator: node validate.mjs FILE...
// Prints one line a finding, "FILE: error|warning CODE POINTER: message"; ends with 1 when there is an error.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import validator from "gltf-validator";

const severities = ["error", "warning"];

async function validate(file) {
  const beside = async (uri) => new Uint8Array(await readFile(join(dirname(file), decodeURIComponent(uri))));
  const { issues } = await validator.validateBytes(new Uint8Array(await readFile(file)), {
    uri: file,
    maxIssues: 0,
    externalResourceFunction: beside,
  });
  for (const { severity, code, pointer, message } of issues.messages)
    if (severity < severities.length)
      console.log(`${file}: ${severities[severity]} ${code} ${pointer ?? "-"}: ${message}`);
  return issues.numErrors;
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: node validate.mjs FILE...");
  process.exit(2);
}
let errors = 0;
for (const file of files) {
  try {
    errors += await validate(file);
  } catch (problem) {
    console.log(`${file}: error UNREADABLE -: ${problem?.message ?? problem}`);
    errors += 1;
  }
}
process.exitCode = errors > 0 ? 1 : 0;
