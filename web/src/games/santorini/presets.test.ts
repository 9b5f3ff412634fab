import { describe, expect, it } from "vitest";
import { clash, fitted, optionsOf, playable, presetOf, presets, SIMPLE } from "./presets";

describe("presets", () => {
  it("are known again by their options", () => {
    for (const preset of presets(2))
      if (preset !== "own") expect(presetOf(fitted(optionsOf(preset, {}), 2)), preset).toBe(preset);
  });

  it("are known again when a server tells all options", () => {
    const all = { draft: "none", gods: [], pool: [], wording: "revised", bans: true, position: "", ply_cap: 1000 } as const;
    for (const preset of presets(2))
      if (preset !== "own") expect(presetOf({ ...all, ...optionsOf(preset, {}) }), preset).toBe(preset);
  });

  it("leave the Golden Fleece to two players", () => {
    expect(presets(2)).toContain("fleece");
    expect(presets(3)).not.toContain("fleece");
    expect(fitted({ draft: "fleece", gods: ["pan"] }, 3).draft).toBe("none");
  });

  it("are one's own where something else is set", () => {
    expect(presetOf({ draft: "online" })).toBe("own");
    expect(presetOf({ draft: "random", bans: false })).toBe("own");
  });

  it("know the ten simple gods", () => {
    expect(SIMPLE).toHaveLength(10);
  });
});

describe("options", () => {
  it("name a god for each seat where gods are given", () => {
    expect(fitted({ draft: "given", gods: ["pan"] }, 3).gods).toEqual(["pan", SIMPLE[1], SIMPLE[2]]);
    expect(fitted({ draft: "given", gods: ["theseus", "pan", "zeus"] }, 3).gods?.[0]).toBe(SIMPLE[0]);
  });

  it("drop what their draft does not use", () => {
    expect(fitted({ draft: "random", gods: ["pan"], position: "x" }, 2)).toEqual({ draft: "random" });
  });

  it("take a power that can lie beside the Ram", () => {
    expect(fitted({ draft: "fleece", gods: ["athena"] }, 2).gods).toEqual(["apollo"]);
    expect(fitted({ draft: "fleece", gods: ["aeolus"], wording: "printed" }, 2).gods).toEqual(["aeolus"]);
  });

  it("know who may play with how many", () => {
    expect(playable(3, false)).not.toContain("hecate");
    expect(playable(3, true)).toContain("hecate");
    expect(playable(2, false)).toHaveLength(67);
  });

  it("find gods that may not meet", () => {
    expect(clash(["hades", "pan"])).toEqual(["hades", "pan"]);
    expect(clash(["apollo", "pan"])).toBeNull();
  });
});
