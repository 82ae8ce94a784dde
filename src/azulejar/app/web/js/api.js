/** Calls to the server. Every failure is thrown as a ServerError. */

import { phraseError, text } from "./texts.js";

/** A problem and its remedy, in the language of the page. `status` is 0 without an answer. */
export class ServerError extends Error {
  constructor(problem, remedy, status, code = null) {
    super(problem);
    this.code = code;
    this.problem = problem;
    this.remedy = remedy;
    this.status = status;
  }
}

let lost = false;

/** Tell the page, once, that a server which did not answer does so again. */
function noteAnswer() {
  if (lost) document.dispatchEvent(new Event("answered"));
  lost = false;
}

async function call(method, path, body) {
  const request = { method, headers: { Accept: "application/json" } };
  if (method !== "GET") request.headers["Content-Type"] = "application/json";
  if (body !== undefined) request.body = JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(`/api${path}`, request);
  } catch {
    throw unanswered();
  }
  noteAnswer();
  if (answer.status === 204) return null;
  const reply = await answer.json().catch(() => null);
  if (answer.status === 401 && reply?.code === "login-required") dispatchEvent(new Event("logged-out"));
  if (!answer.ok) throw failed(reply, answer.status);
  return reply;
}

function unanswered() {
  lost = true;
  return new ServerError(text("error.unanswered"), text("error.unanswered.remedy"), 0);
}

function failed(reply, status) {
  if (!reply?.problem) return new ServerError(text("error.unknown"), text("error.unknown.remedy"), status);
  const { problem, remedy } = phraseError(reply);
  return new ServerError(problem, remedy, status, reply.code);
}

const get = (path) => call("GET", path);
const post = (path, body) => call("POST", path, body);

/** Who looks at the page: {accounts, name, role}; role is null for somebody who has not logged in. */
export const getSession = () => get("/session");
export const logIn = (name, password) => post("/session", { name, password });
export const logOut = () => call("DELETE", "/session");
export const changePassword = (old, changed) => call("PUT", "/session/password", { old, new: changed });
export const listPeople = () => get("/people");
export const addPerson = (person) => post("/people", person);
export const changePerson = (person, change) => call("PATCH", `/people/${person}`, change);
export const removePerson = (person) => call("DELETE", `/people/${person}`);
export const getAccountHistory = () => get("/people/history");
export const getHistory = (project, before) =>
  get(`/projects/${project}/history${before ? `?before=${before}` : ""}`);

export const about = () => get("/about");
export const listProjects = () => get("/projects");
export const createProject = (name) => post("/projects", { name });
export const createDemo = () => post("/projects/demo");
export const renameProject = (project, name) => call("PATCH", `/projects/${project}`, { name });
export const deleteProject = (project) => call("DELETE", `/projects/${project}`);

export const baseOf = (project) => `/api/projects/${project}`;
export const pictureOf = (project, tile, size) => `${baseOf(project)}/tiles/${tile}/picture?size=${size}`;
export const exportOf = (project, name) => `${baseOf(project)}/exports/${encodeURIComponent(name)}`;

export const getProject = (project) => get(`/projects/${project}`);
export const getAtlas = (project) => get(`/projects/${project}/atlas`);
export const putSettings = (project, settings) => call("PUT", `/projects/${project}/settings`, settings);
export const sendEdit = (project, edit) => post(`/projects/${project}/edits`, edit);
export const undo = (project, revision) => post(`/projects/${project}/undo`, { revision });
export const redo = (project, revision) => post(`/projects/${project}/redo`, { revision });
export const getConfidence = (project) => get(`/projects/${project}/confidence`);
export const startJob = (project, request) => post(`/projects/${project}/jobs`, request);
export const stopJob = (project, job) => post(`/projects/${project}/jobs/${job}/stop`);

export const keepVersion = (project, name) => post(`/projects/${project}/versions`, { name });
export const getVersion = (project, version) => get(`/projects/${project}/versions/${version}`);
export const nameVersion = (project, version, name) =>
  call("PATCH", `/projects/${project}/versions/${version}`, { name });
export const restoreVersion = (project, version, revision) =>
  post(`/projects/${project}/versions/${version}/restore`, { revision });

export function getCandidates(project, place, everything) {
  const { panel, row, col } = place;
  return get(`/projects/${project}/candidates?${new URLSearchParams({ panel, row, col, everything })}`);
}

/** Send one file; `onProgress` gets the bytes sent so far. Resolves with what the server took. */
export function upload(project, kind, file, onProgress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ kind, name: file.name });
    request.open("POST", `${baseOf(project)}/uploads?${query}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(event.loaded);
    request.onerror = () => reject(unanswered());
    request.onload = () => {
      noteAnswer();
      if (request.status < 400) resolve(request.response);
      else reject(failed(request.response, request.status));
    };
    request.send(file);
  });
}
